/** Credential types for HTTP requests: those that only HTTP requests use, and OAuth 2 for any API. */
import { oauthCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

const GOOGLE = {
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  accessTokenUrl: 'https://oauth2.googleapis.com/token',
  // Google gives a refresh token only to those who ask for offline access, and only with a new consent.
  additionalParameters: 'access_type=offline&prompt=consent',
}
const MICROSOFT = {
  authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  accessTokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
}
const GOOGLE_CLIENT = 'Create a client of type "Web application" in the Google Cloud console.'
const MICROSOFT_CLIENT = 'Register an app with the platform "Web" in Microsoft Entra.'

export const googleDriveOAuth2 = oauthCredential(
  { label: 'Google Drive OAuth2', name: 'googleDriveOAuth2', hosts: ['*.googleapis.com'], description: GOOGLE_CLIENT },
  { ...GOOGLE, scope: 'https://www.googleapis.com/auth/drive' },
)

export const httpCredentials: CredentialDefinition[] = [
  {
    label: 'HTTP Basic Auth',
    name: 'httpBasicAuth',
    version: 1,
    inputs: [
      { label: 'Username', name: 'basicAuthUsername', type: 'string' },
      { label: 'Password', name: 'basicAuthPassword', type: 'password' },
    ],
  },
  {
    label: 'HTTP Bearer Token',
    name: 'httpBearerToken',
    version: 1,
    inputs: [{ label: 'Token', name: 'token', type: 'password' }],
  },
  {
    label: 'HTTP Api Key',
    name: 'httpApiKey',
    version: 1,
    inputs: [
      { label: 'Key', name: 'key', type: 'string', description: 'The name of the header' },
      { label: 'Value', name: 'value', type: 'password' },
    ],
  },
  oauthCredential({
    label: 'OAuth2 API',
    name: 'oAuth2Api',
    description: 'Any API with OAuth 2. Register a client at its provider first.',
  }),
  oauthCredential(
    {
      label: 'Google Calendar OAuth2',
      name: 'googleCalendarOAuth2',
      hosts: ['*.googleapis.com'],
      description: GOOGLE_CLIENT,
    },
    { ...GOOGLE, scope: 'https://www.googleapis.com/auth/calendar' },
  ),
  googleDriveOAuth2,
  oauthCredential(
    {
      label: 'Google Sheets OAuth2',
      name: 'googleSheetsOAuth2',
      hosts: ['*.googleapis.com'],
      description: GOOGLE_CLIENT,
    },
    { ...GOOGLE, scope: 'https://www.googleapis.com/auth/spreadsheets' },
  ),
  oauthCredential(
    {
      label: 'Microsoft Outlook OAuth2',
      name: 'microsoftOutlookOAuth2',
      hosts: ['graph.microsoft.com'],
      description: MICROSOFT_CLIENT,
    },
    { ...MICROSOFT, scope: 'offline_access User.Read Mail.ReadWrite Mail.Send Calendars.ReadWrite' },
  ),
  oauthCredential(
    {
      label: 'Microsoft Teams OAuth2',
      name: 'microsoftTeamsOAuth2',
      hosts: ['graph.microsoft.com'],
      description: MICROSOFT_CLIENT,
    },
    { ...MICROSOFT, scope: 'offline_access User.Read Chat.ReadWrite ChannelMessage.Send Team.ReadBasic.All' },
  ),
  oauthCredential(
    {
      label: 'GitHub OAuth2',
      name: 'gitHubOAuth2',
      hosts: ['api.github.com'],
      description: 'Create an OAuth app in the developer settings of GitHub.',
    },
    {
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      accessTokenUrl: 'https://github.com/login/oauth/access_token',
      scope: 'repo',
    },
  ),
  oauthCredential(
    {
      label: 'Slack OAuth2',
      name: 'slackOAuth2',
      hosts: ['slack.com', '*.slack.com'],
      description: 'Create an app on api.slack.com.',
    },
    {
      authorizationUrl: 'https://slack.com/oauth/v2/authorize',
      accessTokenUrl: 'https://slack.com/api/oauth.v2.access',
      scope: 'chat:write,channels:read',
    },
  ),
]

/** Types of other components that a request may use too. */
const SHARED_TYPES = ['gmailOAuth2']

export const httpCredentialNames = [...httpCredentials.map(({ name }) => name), ...SHARED_TYPES]

/** Test helper: each service set up right, over a scripted network. */
import { type Answers, openOrigin } from './origin.ts'

export const ID = '59833787-2cf9-4fdf-8782-e53db20768a5'
export const NOTION = 'https://api.notion.com/v1'
export const DRIVE = 'https://www.googleapis.com/drive/v3/files'
export const WIKI = 'https://acme.atlassian.net/wiki'
export const REPOSITORY = 'https://api.github.com/repos/acme/docs'

/** Each service with its first request, as a loader that is set up right sends it. */
export const services: Record<
  string,
  { config: Record<string, unknown>; credential: Record<string, unknown>; first: string }
> = {
  github: {
    config: { repoLink: 'https://github.com/acme/docs.git', recursive: true, ignorePath: '["*.lock","old/"]' },
    credential: { accessToken: 'ghp_secret' },
    first: `${REPOSITORY}/git/trees/main?recursive=1`,
  },
  S3: {
    config: { bucketName: 'acme-docs', keyName: 'a b/ü.txt', region: 'eu-west-1' },
    credential: {},
    first: 'https://acme-docs.s3.eu-west-1.amazonaws.com/a%20b/%C3%BC.txt',
  },
  s3Directory: {
    config: { bucketName: 'acme-docs', prefix: 'docs/' },
    credential: { awsKey: 'AKIDEXAMPLE', awsSecret: 'wJalrXUtnFEMI-secret', awsSession: 'session-token' },
    first: 'https://acme-docs.s3.us-east-1.amazonaws.com/?list-type=2&encoding-type=url&max-keys=500&prefix=docs%2F',
  },
  notionPage: {
    config: { notionPageId: `https://www.notion.so/acme/Guide-${ID.replaceAll('-', '')}?pvs=4` },
    credential: { notionApi: 'ntn_secret' },
    first: `${NOTION}/pages/${ID}`,
  },
  notionDB: {
    config: { databaseId: ID },
    credential: { notionApi: 'ntn_secret' },
    first: `${NOTION}/databases/${ID}/query`,
  },
  confluence: {
    config: { baseUrl: `${WIKI}/`, spaceKey: 'DOCS' },
    credential: { accessToken: 'atl_secret', username: 'jo@example.com' },
    first: `${WIKI}/rest/api/content?spaceKey=DOCS&type=page&status=current&expand=version&start=0&limit=100`,
  },
  googleDrive: {
    config: { folderId: 'https://drive.google.com/drive/folders/root1' },
    credential: { access_token: 'ya29_secret' },
    first: `${DRIVE}?q=%27root1%27+in+parents+and+trashed+%3D+false&fields=nextPageToken%2Cfiles%28id%2Cname%2CmimeType%2Csize%2Cmd5Checksum%2CmodifiedTime%2CwebViewLink%29&pageSize=200&supportsAllDrives=true&includeItemsFromAllDrives=true&orderBy=name`,
  },
}

export const openService = (name: string, answers: Answers, config: Record<string, unknown> = {}) => {
  const { config: own, credential } = services[name] as (typeof services)[string]
  return openOrigin(name, answers, { ...own, ...config }, credential)
}
export const firstOf = (name: string) => (services[name] as (typeof services)[string]).first
/** Lists, or reads what needs no list. */
export const useService = (name: string, answer: Answers[string]) => {
  const origin = openService(name, { [firstOf(name)]: answer })
  return { ...origin, work: () => (name === 'S3' ? origin.read('a b/ü.txt') : origin.listAll()) }
}

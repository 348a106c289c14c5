/** Client-side checks of the account forms. The server decides. */
import { EMAIL_HINT } from '#contract/account/email-hint.ts'
import { type FormErrors, fieldErrors } from '../../ui/forms/form-errors.ts'

const MIN_PASSWORD = 8

export const NEW_PASSWORD_FIELD = {
  name: 'password',
  label: 'Password',
  autoComplete: 'new-password',
  secret: 'password',
  help: `At least ${MIN_PASSWORD} characters.`,
} as const

export const NAME_FIELD = { name: 'name', label: 'Name', autoComplete: 'name' } as const

export interface AccountFields {
  name: string
  email: string
  password: string
  /** Required for the first account when the server asks for it. */
  setupToken?: string
}

const nameError = (name: string) => name.trim() === '' && 'Enter your name.'
const passwordError = (password: string) => password.length < MIN_PASSWORD && `Use at least ${MIN_PASSWORD} characters.`
const emailError = (email: string) => !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email.trim()) && EMAIL_HINT

export const checkEmail = ({ email }: Pick<AccountFields, 'email'>): FormErrors =>
  fieldErrors({ email: emailError(email) })

export const checkNewPassword = ({ password }: Pick<AccountFields, 'password'>): FormErrors =>
  fieldErrors({ password: passwordError(password) })

export const checkNewPerson = ({ name, password }: Pick<AccountFields, 'name' | 'password'>): FormErrors =>
  fieldErrors({ name: nameError(name), password: passwordError(password) })

export function checkSignIn({ email, password }: Pick<AccountFields, 'email' | 'password'>): FormErrors {
  return fieldErrors({ email: emailError(email), password: password === '' && 'Enter your password.' })
}

export function checkAccount({ name, email, password, setupToken }: AccountFields): FormErrors {
  return fieldErrors({
    name: nameError(name),
    email: emailError(email),
    password: passwordError(password),
    setupToken: setupToken === '' && 'Enter the setup token.',
  })
}

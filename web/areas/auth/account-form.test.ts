import { describe, expect, it } from 'vitest'
import { loginSchema } from '#contract/account/account.ts'
import { checkAccount, checkSignIn } from './account-form.ts'

const good = { name: 'Ada', email: 'ada@example.com', password: 'long enough' }

describe('account form', () => {
  it.each([
    [{}, []],
    [{ name: '  ' }, ['name']],
    [{ email: 'ada' }, ['email']],
    [{ email: 'a da@example.com' }, ['email']],
    [{ email: ' ada@example.com ' }, []],
    [{ password: '1234567' }, ['password']],
    [{ setupToken: '' }, ['setupToken']],
    [{ setupToken: 'given' }, []],
    [{ name: '', email: '', password: '' }, ['name', 'email', 'password']],
  ])('with %j reports errors in %j', (change, wrong) => {
    const errors = checkAccount({ ...good, ...change })
    expect(Object.keys(errors.fields)).toEqual(wrong)
    expect(Boolean(errors.summary)).toBe(wrong.length > 0)
  })

  it('accepts any non-empty password at sign-in', () => {
    expect(checkSignIn({ email: good.email, password: 'x' }).fields).toEqual({})
    expect(Object.keys(checkSignIn({ email: good.email, password: '' }).fields)).toEqual(['password'])
  })

  it('reports a wrong email address in the same words as the server', () => {
    const { error } = loginSchema.safeParse({ email: 'a@b.c', password: 'x' })
    expect(error?.issues[0]?.message).toBe(checkSignIn({ email: 'ada', password: 'x' }).fields.email)
  })
})

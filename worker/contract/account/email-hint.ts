/** Error text for a value that isn't an email address, the same in forms and in responses. */
export const EMAIL_HINT = 'Enter an email address like ada@example.com.'

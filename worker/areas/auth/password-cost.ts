/** OWASP's parameters of scrypt for 16 MiB: N=2^14, r=8, p=5. */
export const PASSWORD_COST = { ln: 14, r: 8, p: 5 }

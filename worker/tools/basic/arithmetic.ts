/**
 * Evaluates an arithmetic expression: + - * / % ^, parentheses, named functions and constants. The text is parsed, never
 * executed as code.
 */

class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError'
}

const CONSTANTS: Record<string, number> = { pi: Math.PI, e: Math.E }

const FUNCTIONS: Record<string, (...values: number[]) => number> = {
  abs: Math.abs,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log: Math.log10,
  max: Math.max,
  min: Math.min,
  round: Math.round,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
}

const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z][a-z0-9]*)|(\*\*|[-+*/%^(),]))/iy
const MAX_LENGTH = 1000

/** Returns the value. @throws ArithmeticError that names the problem */
export function evaluate(expression: string): number {
  if (expression.length > MAX_LENGTH) throw new ArithmeticError(`The expression exceeds ${MAX_LENGTH} characters`)
  const tokens = tokenize(expression)
  let at = 0

  const accept = (...symbols: string[]): string | undefined => {
    const token = tokens[at]
    if (token === undefined || !symbols.includes(token)) return undefined
    at++
    return token
  }
  const expect = (symbol: string) => {
    if (!accept(symbol)) throw new ArithmeticError(`Expected "${symbol}" but found ${name(tokens[at])}`)
  }

  const sum = (): number => {
    let value = product()
    for (let sign = accept('+', '-'); sign; sign = accept('+', '-')) value += sign === '+' ? product() : -product()
    return value
  }
  const product = (): number => {
    let value = signed()
    for (let sign = accept('*', '/', '%'); sign; sign = accept('*', '/', '%')) {
      const right = signed()
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
    return value
  }
  const signed = (): number => {
    if (accept('-')) return -signed()
    return accept('+') ? signed() : power()
  }
  const power = (): number => {
    const base = atom()
    return accept('^', '**') ? base ** signed() : base
  }
  const atom = (): number => {
    const token = tokens[at++]
    if (token === '(') {
      const value = sum()
      expect(')')
      return value
    }
    if (token !== undefined && /^[\d.]/.test(token)) return Number(token)
    if (token !== undefined && Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token] as number
    if (token !== undefined && Object.hasOwn(FUNCTIONS, token)) return apply(FUNCTIONS[token] as never)
    throw new ArithmeticError(`Expected a number but found ${name(token)}`)
  }
  const apply = (fn: (...values: number[]) => number): number => {
    expect('(')
    const values = [sum()]
    while (accept(',')) values.push(sum())
    expect(')')
    return fn(...values)
  }

  const value = sum()
  if (at < tokens.length) throw new ArithmeticError(`Expected the end but found ${name(tokens[at])}`)
  if (!Number.isFinite(value))
    throw new ArithmeticError('The result is not a finite number. Check for a division by zero.')
  // Drops digits beyond double precision, so that 0.1 + 0.2 is 0.3.
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15))
}

function tokenize(expression: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const text = expression.trim()
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw new ArithmeticError(`"${text.slice(start).trim()[0]}" is not a valid character in an expression`)
    tokens.push((found[1] ?? found[2]?.toLowerCase() ?? found[3]) as string)
  }
  return tokens
}

function name(token: string | undefined): string {
  return token === undefined ? 'the end' : `"${token}"`
}

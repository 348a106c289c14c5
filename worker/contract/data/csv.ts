/** Text of CSV files that spreadsheets open without running anything. Pure. */

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns one line, with every value in quotes. A value that looks like a formula gets an apostrophe before it. */
export const csvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map((value) => csvValue(String(value ?? ''))).join(',')}\r\n`

const csvValue = (text: string) => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

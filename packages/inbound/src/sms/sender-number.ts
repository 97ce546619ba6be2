/** shorter ones are services: an answer to a machine that answers would never end */
const minDigits = 7

/**
 * The number a text came from, as the API takes it: with + where it is certain that the country is in it, else as it is (the
 * API knows the country of its users). Undefined for what no person writes from: a name, a short code.
 * @param isInternational whether it is, as the gateway says; where it does not, long ones are
 */
export function senderNumber(text: string, isInternational?: boolean): string | undefined {
  const digits = text.trim().replace(/^(\+|00)/, '')
  if (!/^\d+$/.test(digits) || digits.length < minDigits || digits.length > 15) return undefined
  const hasPrefix = digits !== text.trim()
  // eleven digits that begin with a trunk prefix (8 or 0) may be a national form; others are not
  const isLong = /^[1-79]\d{10,}$/.test(digits)
  return hasPrefix || (isInternational ?? isLong) ? `+${digits}` : digits
}

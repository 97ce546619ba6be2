/** A user id of a messenger: a positive whole number without blanks or signs, as digits. */
export function normaliseUserId(text: string, max: number = Number.MAX_SAFE_INTEGER): string | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  return number <= max ? text : undefined
}

/** A length of time in the largest unit that says it exactly. @param units of a second, a minute and an hour */
export function spanOf(seconds: number, [second, minute, hour]: readonly [string, string, string]): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} ${hour}`
  return seconds % 60 === 0 ? `${seconds / 60} ${minute}` : `${seconds} ${second}`
}

/** A length of time in the largest unit that says it exactly. @param units of a second, a minute and an hour */
export function spanOf(seconds: number, [second, minute, hour]: readonly [string, string, string]): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} ${hour}`
  return seconds % 60 === 0 ? `${seconds / 60} ${minute}` : `${seconds} ${second}`
}

/** `~9 s`, `~2 min`: never finer than it is known. @param units of seconds, minutes and hours */
export function roughSpan(ms: number, [second, minute, hour]: readonly [string, string, string]): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 10) return `~${seconds} ${second}`
  if (seconds <= 55) return `~${Math.ceil(seconds / 5) * 5} ${second}`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `~${minutes} ${minute}` : `~${Math.ceil(minutes / 60)} ${hour}`
}

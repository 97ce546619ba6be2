/**
 * Lengths of time as the API writes them: ISO 8601, of days, hours, minutes and seconds, such as PT30M or P7D. Free of zod, so that
 * a page may load it.
 */
export const durationPattern = /^P(?=\d|T\d)(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/
const unitMs = [86_400_000, 3_600_000, 60_000, 1_000] as const

/** @throws RangeError when it is not such a duration */
export function durationMs(text: string): number {
  const found = durationPattern.exec(text)
  if (!found) throw new RangeError(`"${text}" is not a duration such as PT30M or P7D`)
  return unitMs.reduce((sum, ms, index) => sum + Number(found[index + 1] ?? 0) * ms, 0)
}

/** Of whole seconds: as few parts as will do. */
export function durationOf(ms: number): string {
  let left = ms
  const [days, ...rest] = unitMs.map((unit) => {
    const whole = Math.floor(left / unit)
    left -= whole * unit
    return whole
  })
  const time = rest.map((whole, index) => (whole === 0 ? '' : `${whole}${'HMS'[index]}`)).join('')
  return `P${days ? `${days}D` : ''}${time === '' && days ? '' : `T${time || '0S'}`}`
}

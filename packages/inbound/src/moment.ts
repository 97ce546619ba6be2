/** A moment on the person's own clock; an unknown zone must not keep an answer back. */
export function momentOf(iso: string, timeZone: string, language = 'ru'): string {
  const form = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Date(iso).toLocaleString(language, { ...form, timeZone })
  } catch {
    return new Date(iso).toLocaleString(language, { ...form, timeZone: 'UTC' })
  }
}

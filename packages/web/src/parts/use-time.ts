/** The time of day as the person reads it, with the date where it is not today's. */
import { useStores } from '../stores.ts'

export function useTime(): (at: string | number) => string {
  const { session, language } = useStores()
  const timeZone = session.timeZone.value
  const day = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' })
  const time = new Intl.DateTimeFormat(language.code.value, { timeZone, timeStyle: 'short' })
  const both = new Intl.DateTimeFormat(language.code.value, { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  return (at) => {
    const date = new Date(at)
    return (day.format(date) === day.format(new Date()) ? time : both).format(date)
  }
}

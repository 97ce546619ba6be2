/** Moments as the person reads them: in their language and time zone. */
import { useStores } from '../stores.ts'

export const useMoment = () => useFormat('medium', 'short')
/** To the second. */
export const usePreciseMoment = () => useFormat('medium', 'medium')
/** With the day of the week, for what is to come. */
export const useWeekdayMoment = () => useFormat('full', 'short')

function useFormat(dateStyle: 'medium' | 'full', timeStyle: 'short' | 'medium'): (iso: string) => string {
  const { session, language } = useStores()
  const format = new Intl.DateTimeFormat(language.code.value, {
    timeZone: session.timeZone.value,
    dateStyle,
    timeStyle,
  })
  return (iso) => format.format(new Date(iso))
}

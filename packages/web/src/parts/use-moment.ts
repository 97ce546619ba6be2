/** Moments as the person reads them: in their language and time zone. */
import { useStores } from '../stores.ts'

export const useMoment = () => useFormat('short')
/** To the second. */
export const usePreciseMoment = () => useFormat('medium')

function useFormat(timeStyle: 'short' | 'medium'): (iso: string) => string {
  const { session, language } = useStores()
  const format = new Intl.DateTimeFormat(language.code.value, {
    timeZone: session.timeZone.value,
    dateStyle: 'medium',
    timeStyle,
  })
  return (iso) => format.format(new Date(iso))
}

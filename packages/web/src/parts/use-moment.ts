/** Moments as the person reads them: in their language and time zone. */
import { useStores } from '../stores.ts'

export function useMoment(): (iso: string) => string {
  const { session, language } = useStores()
  const format = new Intl.DateTimeFormat(language.code.value, {
    timeZone: session.timeZone.value,
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (iso) => format.format(new Date(iso))
}

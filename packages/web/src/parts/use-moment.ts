/** Moments as the person reads them: in their language and time zone, with the year where it is not this one. */
import { useMemo } from 'preact/hooks'
import { useStores } from '../stores.ts'

const date = { day: 'numeric', month: 'short' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const
const precise = { ...time, second: '2-digit' } as const

export const useMoment = () => useFormat({ ...date, ...time })
/** To the second. */
export const usePreciseMoment = () => useFormat({ ...date, ...precise })
/** To the second, without the day: for what is seconds off. */
export const useClock = () => useFormat(precise)
/** Of Unix ms, and to the second where that is asked for. */
export function useForetoldMoment(): (ms: number, toTheSecond: boolean) => string {
  const [moment, preciseMoment] = [useMoment(), usePreciseMoment()]
  return (ms, toTheSecond) => (toTheSecond ? preciseMoment : moment)(new Date(ms).toISOString())
}
/** With the day of the week, for what is to come. */
export const useWeekdayMoment = () => useFormat({ ...date, month: 'long', weekday: 'long', ...time })

function useFormat(shown: Intl.DateTimeFormatOptions): (iso: string) => string {
  const { session, language } = useStores()
  const code = language.code.value
  const timeZone = session.timeZone.value
  return useMemo(() => {
    const formatOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(code, { timeZone, ...options })
    const year = formatOf({ year: 'numeric' })
    const ofThisYear = formatOf(shown)
    const ofAnother = formatOf({ ...shown, year: 'numeric' })
    return (iso) => {
      const at = new Date(iso)
      return (year.format(at) === year.format(new Date()) ? ofThisYear : ofAnother).format(at)
    }
  }, [code, timeZone])
}

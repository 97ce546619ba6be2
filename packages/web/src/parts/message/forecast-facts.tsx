import type { ForecastReport, HistoryView } from '@courier-fleet/api-types'
import { actualWords, forecastWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useForetoldMoment } from '../use-moment.ts'

/** What the sender was told that it comes to and, once it is over, what it came to. */
export function ForecastFacts({ history }: { history: HistoryView }) {
  const { api, language } = useStores()
  const { message } = useWords()
  const moment = useForetoldMoment()
  const report = useSignal<ForecastReport | undefined>(undefined)
  const { key, plan, at, settledAt } = history
  const isKept = plan?.forecast !== undefined
  useEffect(() => {
    if (!isKept || settledAt === undefined) return
    const show = (found: ForecastReport) => (report.value = found)
    // what was foretold is there without it
    api.forecast(key).then(show, () => {})
  }, [key, isKept, settledAt])
  if (!plan || !isKept || history.state === 'cancelled') return null
  const foretold = forecastWords(language.code.value, plan, { moment, at, now: Date.now() })
  const actual = report.value && actualWords(language.code.value, report.value, { moment })
  return (
    <>
      {foretold && (
        <>
          <dt>{message.foretold}</dt>
          <dd>{foretold}</dd>
        </>
      )}
      {actual && (
        <>
          <dt>{message.inFact}</dt>
          <dd>{actual}</dd>
        </>
      )}
    </>
  )
}

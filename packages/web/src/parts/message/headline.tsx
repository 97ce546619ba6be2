import type { HistoryView } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
import { standstillsOf } from '@courier-fleet/api-types/standstill'
import { createTimeLeft } from '@courier-fleet/api-types/time-left'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { headlineOf } from '../../headline.ts'
import type { Pauses } from '../../stores/pauses.ts'
import { useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { Title } from '../title.tsx'
import { useWeekdayMoment } from '../use-moment.ts'

/** The heading of the page, and of its tab: how far it is, or how it ended. How long it takes is not said while nobody is sending. */
export function Headline({ history, pauses }: { history: HistoryView; pauses: Pauses }) {
  const { known } = useWords()
  const { headline: say } = useMessageWords()
  const moment = useWeekdayMoment()
  const timeLeft = useMemo(createTimeLeft, [history.key])
  const leftMs = useSignal<number | undefined>(undefined)
  const over = isOver(history)

  useEffect(() => {
    timeLeft.seen(history)
    leftMs.value = timeLeft.left()
  }, [history])
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => {
      leftMs.value = timeLeft.left()
    }, 1000)
    return () => clearInterval(timer)
  }, [over, timeLeft])

  const isSent = standstillsOf(history, pauses.channels.value).length === 0
  return <Title>{headlineOf(history, { known, say, moment, leftMs: isSent ? leftMs.value : undefined })}</Title>
}

import type { RehearsalView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { instantOf } from '../../wall-time.ts'
import { Title } from '../title.tsx'
import { useWeekdayMoment } from '../use-moment.ts'
import { Phones } from './phones.tsx'
import { ReachSentence } from './reach.tsx'

/** so many people, and a message is looked at once more before it is sent */
export const checkedFrom = 100

/** What will be sent to whom, how many, when and for what price; the button of the form sends it. */
export function CheckMessage({ view }: { view: RehearsalView }) {
  const { draft, session } = useStores()
  const { check, compose } = useWords()
  const moment = useWeekdayMoment()
  const { to, text, when, at, confirm } = draft.content.value
  const due = when === 'later' ? instantOf(session.timeZone.value, at) : undefined
  return (
    <>
      <Title>{check.title}</Title>
      <section class="card" aria-label={check.title}>
        <ReachSentence view={view} />
        <dl>
          <dt>{compose.to}</dt>
          <dd>{to.map(({ label }) => label).join(', ')}</dd>
          <dt>{compose.when}</dt>
          <dd>{due ? moment(due) : compose.now}</dd>
        </dl>
      </section>
      <Phones text={view.text?.preview?.text ?? text} confirm={confirm} view={view} />
    </>
  )
}

import type { ChannelView } from '@courier-fleet/api-types'
import { useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'

/** Of each class that has anybody: who waits in it, what part of the last minute it had, and what part its weight gives it while all wait. */
export function ServiceClasses({ classes }: Pick<ChannelView, 'classes'>) {
  const words = useWords()
  const said = useServiceWords()
  const weights = classes.reduce((sum, { weight }) => sum + weight, 0)
  const shown = classes.filter(({ waiting, lastMinute }) => waiting + lastMinute > 0)
  if (shown.length === 0) return null
  return (
    <ul>
      {shown.map(({ class: cls, waiting, atLeast, takesMs, lastMinute, share, weight }) => {
        const people = words.number(waiting)
        const facts = [
          ...(waiting > 0 ? [atLeast ? said.atLeast(people) : said.upTo(people)] : []),
          ...(waiting > 0 && takesMs !== undefined ? [said.takes(said.span(takesMs))] : []),
          ...(share === undefined ? [] : [said.share(percent(share), words.number(lastMinute))]),
          said.weight(weight, weights, percent(weight / weights)),
        ]
        return (
          <li key={cls}>
            <strong>{said.byClass[cls]}</strong>
            <span class="hint"> · {facts.join(' · ')}</span>
          </li>
        )
      })}
    </ul>
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`

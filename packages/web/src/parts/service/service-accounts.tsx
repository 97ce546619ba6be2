import type { ChannelAccountView } from '@courier-fleet/api-types'
import { useWords } from '../../stores.ts'
import { useServiceWords } from '../../texts/service.ts'
import { useAccountWords } from '../../texts/service-accounts.ts'
import { useTime } from '../use-time.ts'

/** Each account of a channel that has several. */
export function ServiceAccounts({ accounts }: { accounts: readonly ChannelAccountView[] }) {
  return (
    <ul>
      {accounts.map((each) => (
        <AccountLine key={each.name} account={each} />
      ))}
    </ul>
  )
}

/** Whether it works, what it said, what it may and whom it took: one of several accounts. */
function AccountLine({ account }: { account: ChannelAccountView }) {
  const { name, prefixes, couriers, trouble, perSecond, pausedForMs, people } = account
  const words = useWords()
  const said = useServiceWords()
  const tell = useAccountWords()
  const time = useTime()
  const facts = [
    ...(prefixes.length > 0 ? [prefixes.join(', ')] : []),
    ...(trouble ? [tell.trouble[trouble.state](time(trouble.since))] : []),
    ...(pausedForMs > 0 ? [tell.asksToWait(said.span(pausedForMs))] : []),
    perSecond === undefined ? said.noLimit : said.allowed(words.number(perSecond)),
    tell.wentBy(words.people(people.own + people.takenOver)),
    ...(people.takenOver > 0 ? [tell.takenOverBy(words.number(people.takenOver))] : []),
  ]
  return (
    <li>
      <strong>{tell.names[name] ?? name}</strong> {tell.works(couriers.works, couriers.of)}
      <span class="hint"> · {facts.join(' · ')}</span>
      {trouble && <span lang="en"> · {trouble.why}</span>}
    </li>
  )
}

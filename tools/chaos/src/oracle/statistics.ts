/** What statistics tell, beside the ledgers of all messages: what came to a state, less what left it again, is who is in it. */
import { type Channel, channels } from '../expectations.ts'
import type { History, StatisticsRow } from './api.ts'
import { type State, states } from './states.ts'

/** what the fleet says itself, such as codes and alarms: in nobody's list of messages */
const ownType = 'service'

/** Where they differ. Who is pending is not told: that is who came to nothing else. */
export function miscounts(
  rows: readonly StatisticsRow[],
  histories: readonly History[],
): { channel: Channel; what: string }[] {
  return channels.flatMap((channel) => {
    const of = rows.filter((row) => row.channel === channel && row.type !== ownType)
    const told = (state: State) => sum(of.map(({ came, left }) => (came[state] ?? 0) - (left[state] ?? 0)))
    const counted = (state: State) => sum(histories.map((history) => history.channels[channel]?.[state] ?? 0))
    return states
      .filter((state) => state !== 'pending' && told(state) !== counted(state))
      .map((state) => ({
        channel,
        what: `statistics count ${told(state)} ${state}; the ledgers of all messages ${counted(state)}`,
      }))
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

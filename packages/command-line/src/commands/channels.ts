import type { ChannelList, RetiredChannel } from '@courier-fleet/api-types'
import { channelsText, stuckLines, stuckOf } from '../channel-table.ts'
import type { Call, Options } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { keepTelling, liveOptions } from '../live.ts'
import type { Look } from '../style.ts'
import { UsageError } from '../usage-error.ts'

const options = {
  watch: { type: 'boolean', about: 'keeps the list up to date' },
  ...liveOptions,
} as const satisfies Options

export const channels = defineCommand({
  name: 'channels',
  summary: 'The couriers of each channel, and what waits for it; pause, resume or retire one',
  parameters: [
    { name: 'action', optional: true, choices: ['pause', 'resume', 'retire'] },
    { name: 'channel', optional: true },
  ],
  options,
  exits: { 0: 'nothing is stuck; paused, resumed, retired', 1: 'something is' },
  async execute(call) {
    const {
      parameters: [action, channel],
      answer,
      client,
      look,
    } = call
    if (action === undefined) return tellChannels(call)
    if (channel === undefined) throw new UsageError(`say which: ${action} <channel>; "fleet channels" lists them`)
    if (action === 'pause') {
      const paused = await client().pauseChannel(channel)
      answer(
        paused,
        () =>
          `Paused ${channel} since ${look.moment(paused.pausedSince)}; resume it with: fleet channels resume ${channel}`,
      )
      return 0
    }
    if (action === 'resume') {
      await client().resumeChannel(channel)
      answer({ channel }, () => `Resumed ${channel}.`)
      return 0
    }
    const retired = await client().retireChannel(channel)
    answer(retired, () => `Retired ${channel}; ${remainingText(retired, look)}`)
    return 0
  },
})

type Listing = Call<typeof options>

async function tellChannels({ client: connect, values, answer, terminal, look }: Listing): Promise<0 | 1> {
  const client = connect()
  const textOf = (list: ChannelList) => [channelsText(list, look), ...stuckLines(list, look)].join('\n')
  if (values.watch) {
    await keepTelling(terminal, values, async () => textOf(await client.channels()))
    return 0
  }
  const list = await client.channels()
  answer(list, () => textOf(list))
  return stuckOf(list).length === 0 ? 0 : 1
}

function remainingText({ remaining: { entries, people, oldestAt } }: RetiredChannel, { moment }: Look): string {
  if (entries === 0) return 'nothing waits for it.'
  return `still waiting for it: ${people} people in ${entries} piece(s), the first since ${oldestAt && moment(oldestAt)}.`
}

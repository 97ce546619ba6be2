/** The URLs that messages name: how each takes what is posted to it, switching one off, and calling it again. */
import type { EndpointView } from '@courier-fleet/api-types'
import { namedEndpoints } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import type { Look } from '../style.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['list', 'enable', 'disable'] as const
/** those that the latest messages name */
const maxMessages = 100

export const endpoints = defineCommand({
  name: 'endpoints',
  summary: 'Which URLs your latest messages name, and how they take it; switch one off, call it again',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'url', optional: true },
  ],
  options: {
    sender: {
      type: 'string',
      value: 'WHO',
      about: 'whose messages name them; * for everybody in a list; for operators',
    },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action = 'list', url], values: { sender }, answer, client: connect, look }) {
    const client = connect()
    const whose = sender === undefined ? {} : { sender }
    if (action === 'enable') {
      if (url === undefined) throw new UsageError('say which: enable <url>; "fleet endpoints" lists them')
      await client.enableEndpoint({ url, ...whose })
      answer({ enabled: url }, () => `${url} is called again as messages come.`)
      return 0
    }
    if (action === 'disable') {
      if (url === undefined) throw new UsageError('say which: disable <url>; "fleet endpoints" lists them')
      await client.disableEndpoint({ url, ...whose })
      answer(
        { disabled: url },
        () => `${url} is called no more: what waits for it fails, until "endpoints enable ${url}".`,
      )
      return 0
    }
    const { histories } = await client.histories({ ...whose, limit: maxMessages })
    const named = namedEndpoints(histories)
    const views = await Promise.all(named.map(({ url: one, sender: of }) => client.endpoint({ url: one, sender: of })))
    const found = named.map(({ url: one, sender: of, messages }, index) => {
      return { url: one, sender: of, messages: messages.length, ...(views[index] as EndpointView) }
    })
    answer({ endpoints: found }, () =>
      found.length === 0 ? `The latest ${maxMessages} messages name no URL.` : tableOf(found, look),
    )
    return 0
  },
})

interface Found extends EndpointView {
  readonly url: string
  readonly sender: string
  readonly messages: number
}

function tableOf(found: readonly Found[], look: Look): string {
  const moment = (at: string | undefined) => (at === undefined ? undefined : look.moment(at))
  return table([
    ['url', 'sender', 'messages', 'is', 'said', 'at', 'next', 'off since'],
    ...found.map(({ url, sender, messages, state, said, at, nextTryAt, offSince }) => [
      url,
      sender,
      messages,
      state,
      said,
      moment(at),
      moment(nextTryAt),
      moment(offSince),
    ]),
  ])
}

import {
  type SubscriptionDelivery,
  type SubscriptionResource,
  type SubscriptionTest,
  type SubscriptionView,
  subscriptionResources,
} from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { defineCommand } from '../define-command.ts'
import { lengthMsOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

const actions = ['list', 'add', 'remove', 'test', 'rotate', 'replay', 'deliveries'] as const
/** of one that is named */
type Action = Exclude<(typeof actions)[number], 'list'>

export const subscriptions = defineCommand({
  name: 'subscriptions',
  summary: 'Which systems are told of changes: list them, add a URL, remove, test, rotate, replay, deliveries',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id or url', optional: true },
  ],
  options: {
    resource: { type: 'string', value: 'KIND', about: 'of add: what is followed', choices: subscriptionResources },
    id: {
      type: 'string',
      value: 'ID',
      about: 'of add: which one; all that you may read when absent',
    },
    owner: { type: 'string', value: 'WHO', about: 'of list: whose, * for everybody, for operators' },
    last: {
      type: 'string',
      value: 'TIME',
      about: 'of replay: what has changed in this time, 14d at most; 24h when absent',
    },
  },
  exits: { 0: 'done; the URL took the test', 1: 'the URL did not take the test' },
  async execute({ parameters: [action = 'list', which], values, answer, client, look }) {
    if (action === 'list') {
      const { subscriptions } = await client().subscriptions(values.owner)
      answer({ subscriptions }, () => (subscriptions.length === 0 ? 'No subscriptions.' : listOf(subscriptions)))
      return 0
    }
    if (which === undefined) throw new UsageError(unsaid(action as Action))
    const { data, words, taken = true } = await act(client(), action as Action, which, values, look)
    answer(data, () => words)
    return taken ? 0 : 1
  },
})

const unsaid = (action: Action) =>
  action === 'add'
    ? 'say where to: add <url> --resource group --id choir'
    : `say which: ${action} <id>; "fleet subscriptions" lists them`

interface Values {
  readonly resource?: string | undefined
  readonly id?: string | undefined
  readonly last?: string | undefined
}

interface Done {
  readonly data: unknown
  readonly words: string
  readonly taken?: boolean
}

async function act(client: Client, action: Action, which: string, values: Values, look: Look): Promise<Done> {
  switch (action) {
    case 'add':
      return add(client, which, values)
    case 'remove':
      await client.unsubscribe(which)
      return { data: { removed: which }, words: `Removed ${which}.` }
    case 'test': {
      const test = await client.testSubscription(which)
      return { data: test, words: testInWords(test), taken: test.delivered }
    }
    case 'rotate': {
      const rotated = await client.rotateSubscription(which)
      const also = rotated.valid > 1 ? ' The one before it signs, too, for a day.' : ''
      return { data: rotated, words: `${rotated.secret}\nIt is shown only now.${also}` }
    }
    case 'replay': {
      const since = new Date(Date.now() - lengthMsOf('last', values.last ?? '24h')).toISOString()
      const accepted = await client.replaySubscription(which, since)
      return { data: accepted, words: `What has changed since ${look.moment(since)} is sent again.` }
    }
    case 'deliveries': {
      const { deliveries } = await client.deliveries(which)
      return {
        data: { deliveries },
        words: deliveries.length === 0 ? 'Nothing was sent in a day.' : deliveriesOf(deliveries, look),
      }
    }
  }
}

async function add(client: Client, url: string, { resource, id }: Values): Promise<Done> {
  if (resource === undefined)
    throw new UsageError(`say what is followed: --resource ${subscriptionResources.join('|')}`)
  const created = await client.subscribe({
    url,
    resource: resource as SubscriptionResource,
    ...(id === undefined ? {} : { resource_id: id }),
  })
  return { data: created, words: `${created.secret}\nIts id is ${created.id}; the secret is shown only now.` }
}

function testInWords({ delivered, status, why, ms }: SubscriptionTest): string {
  const answered = status === undefined ? '' : ` it answered ${status};`
  return delivered ? `Taken: it answered ${status} in ${ms} ms.` : `Not taken:${answered} ${why}.`
}

function listOf(subscriptions: readonly SubscriptionView[]): string {
  const rows = subscriptions.map(({ id, resource, resource_id, url, owner, state, failing, disabled }) => [
    id,
    `${resource} ${resource_id ?? '*'}`,
    owner,
    state,
    url,
    disabled?.why ?? failing?.why,
  ])
  return table([['id', 'follows', 'owner', 'state', 'url', 'why'], ...rows])
}

function deliveriesOf(deliveries: readonly SubscriptionDelivery[], look: Look): string {
  const rows = deliveries.map(({ at, resource_id, sequence, attempt, delivered, status, why, ms }) => [
    look.moment(at),
    resource_id ?? 'a test',
    sequence,
    attempt,
    delivered ? 'taken' : 'not taken',
    status,
    `${ms} ms`,
    why,
  ])
  return table([['at', 'of', 'sequence', 'attempt', 'was', 'status', 'in', 'why'], ...rows])
}

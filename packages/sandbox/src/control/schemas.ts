/** What the control API takes, as JSON Schema for Fastify's validator. */
import { channelNames, channels } from '@courier-fleet/channels'

const channel = { type: 'string', enum: channelNames } as const
/** the longest is a URL */
const address = { type: 'string', minLength: 1, maxLength: 2000 } as const
const limit = { type: ['integer', 'null'], minimum: 1 } as const

const closed = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const phones = {
  type: 'array',
  maxItems: 1_000_000,
  items: closed(
    {
      channel,
      address,
      name: { type: 'string', minLength: 1, maxLength: 200 },
      person: { type: 'string', minLength: 1, maxLength: 64 },
      language: { type: 'string', pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$' },
      state: { type: 'string', enum: ['ok', 'off', 'blocked', 'deactivated', 'unknown'] },
    },
    ['channel', 'address'],
  ),
}

export const channelsQuery = closed({ language: { type: 'string', enum: ['en', 'ru'] } }, ['language'])

export const wallQuery = closed({ find: { type: 'string', minLength: 1, maxLength: 100 } }, ['find'])

export const phoneParams = closed({ channel, address }, ['channel', 'address'])

export const saying = closed({ text: { type: 'string', minLength: 1, maxLength: 20_000, pattern: '\\S' } }, ['text'])

export const following = closed({ url: { type: 'string', minLength: 1, maxLength: 2000 } }, ['url'])

export const press = {
  oneOf: [
    closed({ message: { type: 'integer' }, label: { type: 'string', minLength: 1, maxLength: 200 } }, [
      'message',
      'label',
    ]),
    closed({ message: { type: 'integer' }, data: { type: 'string', maxLength: 255 } }, ['message', 'data']),
  ],
}

/** what a fault of a kind needs beside this is checked by its route */
export const fault = closed(
  {
    channel,
    kind: {
      type: 'string',
      enum: [
        'throttle',
        'hang',
        'disconnect',
        'reply-lost',
        'reject',
        'refuse-once',
        'reports',
        'refuse-file',
        'upload-lost',
        'error-lost',
        'reference-expired',
        'down',
      ],
    },
    centre: { type: 'string', enum: ['first', 'second'] },
    addresses: { type: 'array', items: address, minItems: 1, maxItems: 100_000 },
    count: { type: 'integer', minimum: 1 },
    seconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
    code: { type: 'string', minLength: 1, maxLength: 64 },
    mode: { type: 'string', enum: ['early', 'late', 'twice', 'other-id-format', 'failed', 'none'] },
  },
  ['channel', 'kind'],
)

export const faultQuery = closed({ channel })

export const ofChannel = closed({ channel }, ['channel'])

export const nothing = closed({})

export const limits = closed(
  Object.fromEntries(
    channels.map(({ name, sandboxLimits }) => [
      name,
      closed(Object.fromEntries(Object.keys(sandboxLimits).map((each) => [each, limit]))),
    ]),
  ),
)

export const acceptedQuery = closed({ since: { type: 'string', pattern: '^\\d{1,15}$' } })

/** How much was sent, and what came of it, by hour, type, channel and reason. */
import {
  channelName,
  instant,
  messageTypeId,
  type StatsDimension,
  statsDimensions,
  statsView,
} from '@courier-fleet/api-types'
import { hourMs, isoOfHour, statsDays, statsTable } from '@courier-fleet/store'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { InvalidInput } from '../http/invalid-input.ts'
import { answers } from '../openapi/openapi.ts'

const dimension = `(${statsDimensions.join('|')})`
const keptHours = statsDays * 24
const usualHours = 24
const maxRows = 20_000

const query = z.strictObject({
  from: instant
    .optional()
    .describe('within this hour and later; a day before `to` when absent, and at most 35 days ago'),
  to: instant.optional().describe('to the end of this hour, unless it is its beginning; now when absent'),
  by: z
    .string()
    .regex(
      new RegExp(`^${dimension}(,${dimension})*$`),
      `${statsDimensions.join(', ')}, those that are wanted, between commas`,
    )
    .default('type')
    .describe(`what is told apart: ${statsDimensions.join(', ')}, between commas. States always are`),
  type: messageTypeId.optional().describe('of messages of this type only'),
  channel: channelName.optional().describe('receipts on this channel only'),
})

export function statsRoutes(app: App, { stats, clock }: RouteDeps): void {
  app.get(
    '/stats',
    {
      schema: {
        tags: ['operations'],
        operationId: 'readStats',
        summary: 'What has come of messages, by type, channel, reason and hour',
        description:
          'Whole hours of the last 35 days, counted in the step in which things happen, so that the sums agree with the ledgers of all messages. docs/api.md says how to read them.',
        querystring: query,
        response: answers({ 200: statsView }),
      },
    },
    async ({ query: { from, to, by, type, channel } }) => {
      const hours = hoursOf(from, to, clock.now())
      const wanted = new Set(by.split(',') as StatsDimension[])
      const table = statsTable(await stats.hours(hours.from, hours.to), { by: wanted, type, channel })
      const rows = Object.values(table).reduce((sum, each = []) => sum + each.length, 0)
      if (rows > maxRows) {
        const message = `gives ${rows} rows, and ${maxRows} are allowed: ask for fewer hours, or tell less apart`
        throw new InvalidInput(400, [{ field: 'by', code: 'too_many', message }])
      }
      return { from: isoOfHour(hours.from), to: isoOfHour(hours.to), ...table }
    },
  )
}

/** Whole hours, counted since 1970. @throws InvalidInput */
export function hoursOf(from: string | undefined, to: string | undefined, nowMs: number): { from: number; to: number } {
  const refuse = (message: string) => new InvalidInput(400, [{ field: 'from', code: 'custom', message }])
  const next = Math.floor(nowMs / hourMs) + 1
  const end = to === undefined ? next : Math.min(next, Math.ceil(Date.parse(to) / hourMs))
  const begin = from === undefined ? end - usualHours : Math.floor(Date.parse(from) / hourMs)
  const first = next - 1 - keptHours
  if (begin < first) throw refuse(`hours are known for ${statsDays} days, since ${isoOfHour(first)}`)
  if (begin >= end) throw refuse(`is not before ${to === undefined ? 'now' : '`to`'}`)
  return { from: begin, to: end }
}

import { type FlowStage, type FunnelView, flowStages, receiptOfFlow } from '@courier-fleet/api-types'
import { piecesOf } from '@courier-fleet/client'
import { channelName, receiptWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'

export const flow = defineCommand({
  name: 'flow',
  summary: 'How far people have come with a message: in numbers, or everybody as nine digits',
  parameters: [{ name: 'key' }],
  options: {
    format: { type: 'string', value: 'FORMAT', choices: ['ndjson', 'csv'], about: 'everybody, a line each; streamed' },
    channel: { type: 'string', value: 'CHANNEL', about: 'everybody on this channel only' },
    stage: { type: 'string', value: 'STAGE', choices: flowStages, about: 'only people who are there' },
  },
  exits: { 0: 'told' },
  async execute({ values: { format, channel, stage }, parameters: [key = ''], answer, client, terminal }) {
    const filter = { ...(channel ? { channel } : {}), ...(stage ? { stage: stage as FlowStage } : {}) }
    if (format === undefined && Object.keys(filter).length === 0) {
      const funnel = await client().funnel(key)
      answer(funnel, () => tell(funnel))
    } else if (format === 'csv') {
      for await (const line of piecesOf(await client().flowCsv(key, filter), '\r\n')) terminal.out(line)
    } else {
      for await (const row of client().flow(key, filter)) terminal.out(JSON.stringify(row))
    }
    return 0
  },
})

function tell({ channels }: FunnelView): string {
  const legs = Object.entries(channels)
  if (legs.length === 0) return 'No channel has begun.'
  const passed = legs.map(
    ([
      leg,
      {
        people,
        passed: { sent, delivered, read, confirmed },
      },
    ]) => [channelName('en', leg), people, sent, delivered, read, confirmed],
  )
  const where = legs.flatMap(([leg, { flows }]) =>
    Object.entries(flows).map(([digits, people]) => {
      const { stage, ...receipt } = receiptOfFlow(digits)
      return [channelName('en', leg), digits, stage, plain(receiptWords('en', leg, receipt)), people]
    }),
  )
  return [
    table([['channel', 'people', 'sent', 'delivered', 'read', 'confirmed'], ...passed], { numbersFrom: 1 }),
    table([['channel', 'flow', 'stage', 'what', 'people'], ...where], { numbersFrom: 4 }),
  ].join('\n\n')
}

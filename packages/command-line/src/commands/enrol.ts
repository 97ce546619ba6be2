import { byteOrderMark, csvLine, type Separator, separators } from '@courier-fleet/api-types/csv'
import { defineCommand } from '../define-command.ts'
import { countOf } from '../moment.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

export const enrol = defineCommand({
  name: 'enrol',
  summary: 'Make a one-time code for each person of a group, to link a contact on a channel',
  options: {
    group: { type: 'string', value: 'ID', about: 'whose people' },
    channel: { type: 'string', value: 'CHANNEL', about: 'that is to be linked' },
    days: { type: 'string', value: 'COUNT', about: 'so long the codes are good; 7 when absent' },
    again: { type: 'boolean', about: 'for whoever has a contact there, too; for operators' },
    html: { type: 'boolean', about: 'a page to be printed, with a strip for each person' },
    csv: { type: 'boolean', about: 'for a spreadsheet' },
    separator: {
      type: 'string',
      value: 'WHICH',
      choices: Object.keys(separators),
      about: 'of --csv; comma when absent, semicolon where the comma is for decimals',
    },
  },
  exits: { 0: 'made; earlier codes of these people are void' },
  async execute({ values, answer, client, terminal }) {
    const { group, channel, days, again = false, html, csv, separator = 'comma' } = values
    if (group === undefined || channel === undefined) throw new UsageError('it needs --group and --channel')
    if (html && csv) throw new UsageError('--html or --csv, not both')
    const asked = { channel, again, ...(days === undefined ? {} : { days: countOf('days', days) }) }
    if (html) {
      terminal.out(await client().groupCodesSheet(group, asked))
      return 0
    }
    const made = await client().groupCodes(group, asked)
    const rows = made.codes.map(({ person, name, code, url, link }) => [person, name, code, url, link])
    if (csv) {
      const line = (cells: (string | undefined)[]) => csvLine(cells, separator as Separator).trimEnd()
      terminal.out(byteOrderMark + line([...columns, 'expires']))
      for (const row of rows) terminal.out(line([...row, made.expiresAt]))
      return 0
    }
    answer(made, () => {
      const notes = [
        `${made.codes.length} made, good until ${made.expiresAt}.`,
        ...(made.linked > 0 ? [`${made.linked} have a contact on ${channel} already.`] : []),
        ...(made.others > 0 ? [`${made.others} are of a role that you may make no code for.`] : []),
      ]
      return [...(rows.length > 0 ? [table([columns, ...rows])] : []), notes.join(' ')].join('\n\n')
    })
    return 0
  },
})

const columns = ['person', 'name', 'code', 'url', 'link']

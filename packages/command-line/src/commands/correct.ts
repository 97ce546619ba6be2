/** `fleet correct`: another text for a message, and for those who have the one before. */
import { correctionRehearsalWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { typedOrPiped } from '../input.ts'
import { UsageError } from '../usage-error.ts'
import { personalOf, personalOptions, recipientsOf } from './message-options.ts'

export const correct = defineCommand({
  name: 'correct',
  summary: 'Give a message another text: whoever has the older one is edited, or told',
  parameters: [{ name: 'key' }],
  options: {
    text: { type: 'string', value: 'TEXT', about: 'what people are to read instead; - for what comes in on stdin' },
    texts: personalOptions.texts,
    language: personalOptions.language,
    fields: {
      type: 'string',
      value: 'JSON',
      about: 'other values for the fields of the text, such as {"room": "305"} for {{room}}; the others stay',
    },
    recipients: {
      type: 'string',
      value: 'FILE',
      about:
        'CSV with a column person and one for each field: other values of one person each; the others stay; - for what comes in on stdin',
    },
    'tell-all': {
      type: 'boolean',
      about: 'whoever is edited is sent a message of its own besides: an edit makes no sound',
    },
    'edits-only': { type: 'boolean', about: 'whom no edit reaches keeps the older text, and is told nothing' },
    'dry-run': { type: 'boolean', about: 'say what it would do, with whom and at what cost; change nothing' },
  },
  exits: { 0: 'accepted: nobody is sent the older text any more; or, with --dry-run, told' },
  async execute({ parameters, values, answer, client, terminal }) {
    const [key] = parameters as [string]
    const each = await recipientsOf(values.recipients, terminal)
    const typed = values.text === undefined ? undefined : await typedOrPiped(values.text, terminal)
    const { texts, language, fields } = values
    const { text, ...more } = personalOf(typed, { texts, language, fields })
    if (text === undefined) throw new UsageError('say what people are to read: --text "…"')
    if (values['tell-all'] && values['edits-only']) throw new UsageError('--tell-all or --edits-only, not both')
    const followUp = values['edits-only'] ? 'never' : values['tell-all'] ? 'always' : 'where-needed'
    const how = { text, ...more, ...each, followUp } as const
    if (values['dry-run']) {
      const foreseen = await client().rehearseCorrection(key, how)
      answer(foreseen, () =>
        ['Nothing was changed. It would be:', ...correctionRehearsalWords('en', foreseen)].join('\n'),
      )
      return 0
    }
    const done = await client().correct(key, how)
    answer(done, () => `Accepted, as version ${done.version}. See whom it reaches with: fleet watch ${key}`)
    return 0
  },
})

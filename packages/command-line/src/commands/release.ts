import { defineCommand } from '../define-command.ts'

export const release = defineCommand({
  name: 'release',
  summary: 'Let a message go out that waits for an operator',
  parameters: [{ name: 'key' }],
  options: {},
  exits: { 0: 'released' },
  async execute({ parameters, answer, client, look }) {
    const [key] = parameters as [string]
    const history = await client().release(key)
    const isLater = Date.parse(history.at ?? '') > Date.now()
    answer(history, () => `Released: it goes out ${isLater ? `at ${look.moment(history.at ?? '')}` : 'now'}`)
    return 0
  },
})

/** `fleet retry`: those again whose endpoint took a message in no try. */
import { defineCommand } from '../define-command.ts'
import { instantOf } from '../moment.ts'

export const retry = defineCommand({
  name: 'retry',
  summary: 'Try those again whose endpoint took a message in no try, under the same id',
  parameters: [{ name: 'key' }],
  options: {
    expires: {
      type: 'string',
      value: 'TIME',
      about: 'after this they are not tried any more; a day from now when absent',
    },
  },
  exits: { 0: 'they are tried again', 1: 'there is nobody whose endpoint has not taken it' },
  async execute({ parameters, values: { expires }, answer, client }) {
    const [key] = parameters as [string]
    const until = expires === undefined ? {} : { expires: instantOf('expires', expires, Date.now()) }
    const done = await client().retry(key, until)
    answer(done, () =>
      done.people === 0
        ? 'There is nobody whose endpoint has not taken it.'
        : `Tried again: ${done.people}. See what becomes of it with: fleet watch ${key}`,
    )
    return done.people === 0 ? 1 : 0
  },
})

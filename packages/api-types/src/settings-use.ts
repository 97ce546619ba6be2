/** Which version of the settings the processes use. */
import { z } from 'zod'
import { moment, smallCount } from './fields.ts'

export const settingsUse = z
  .strictObject({
    version: smallCount.describe('the newest of the settings'),
    using: smallCount.describe('processes that use it'),
    of: smallCount.describe(
      'processes there are: queue, couriers, timekeepers, notifiers. One that has ended without a word is counted for 15 s after its last sign',
    ),
    behind: z
      .array(
        z.strictObject({
          name: z
            .string()
            .describe('name of the process')
            .meta({ examples: ['courier-sms-2'] }),
          version: smallCount.optional().describe('what it uses; absent: it has not said'),
          seenAt: moment.describe('its last sign of life'),
        }),
      )
      .describe('those that use another'),
  })
  .describe('which settings the processes use, as each has said itself')
export type SettingsUse = z.infer<typeof settingsUse>

import type { SettingsConcern } from '@courier-fleet/api-types'
import { concernWords } from '@courier-fleet/words'
import type { Look } from './style.ts'

/** Below what has changed, or would: whom it concerns that is there already. */
export const concernLines = (concerns: readonly SettingsConcern[], look: Look): string[] =>
  concernWords('en', concerns, look.moment).map((words) => `Note: ${words}`)

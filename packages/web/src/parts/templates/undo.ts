import type { TemplateView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { bodyOf } from '../../template-draft.ts'

export interface Change {
  readonly id: string
  /** undefined: there was none */
  readonly before: TemplateView | undefined
  /** what it has become */
  readonly version: number
}

/** What it was before is its next version; where that was none, or archived, it is archived. @throws where somebody has changed it since */
export const undo = (api: Client, { id, before, version }: Change): Promise<unknown> =>
  before && !before.archived ? api.putTemplate(id, bodyOf(before), version) : api.archiveTemplate(id, version)

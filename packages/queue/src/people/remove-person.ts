/** Removes somebody from the directory, with all that gives them power. */
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import type { AuditEntry } from '@courier-fleet/store'
import type { Audit } from '../access/audit.ts'
import type { SendingRights } from '../access/sending-rights.ts'
import type { Sessions } from '../access/sessions.ts'

interface RemoveDeps {
  readonly directory: Directory
  readonly sendingRights: SendingRights
  readonly apiKeys: ApiKeys
  readonly sessions: Sessions
  readonly audit: Audit
}

/** @param options as deletePerson() of the directory has them. @returns whether there was such a person */
export type RemovePerson = (
  id: string,
  by: Pick<AuditEntry, 'by' | 'via'>,
  options?: Parameters<Directory['deletePerson']>[1],
) => Promise<boolean>

export function createRemovePerson({ directory, sendingRights, apiKeys, sessions, audit }: RemoveDeps): RemovePerson {
  return async (id, by, options) => {
    const about = { ...by, person: id }
    const revokeKeys = async () => {
      for (const key of await apiKeys.revokeOf(id))
        await audit.write({ action: 'api-key.revoked', ...about, detail: key })
    }
    const isThere = (await directory.findPerson(id)) !== undefined
    const role = { sender: id, before: await sendingRights.roleOf(id), after: undefined }
    const existed = await sendingRights.change(isThere ? [role] : [], async () => {
      // what gives power ends first: a call that was cut off is repeated while the person is still there
      if (isThere) await revokeKeys()
      return directory.deletePerson(id, options)
    })
    // and those that were made or opened meanwhile
    if (isThere) await revokeKeys()
    await sessions.closeAll(id)
    if (existed) await audit.write({ action: 'person.removed', ...about })
    return existed
  }
}

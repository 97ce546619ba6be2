/** Links a contact, writes it into the audit, and tells whoever it concerns on their other channels. */
import { type Agreeing, type Directory, hasAddress, type Person } from '@courier-fleet/directory'
import type { Audit } from '../access/audit.ts'
import type { SystemMessages } from '../fleet/system-messages.ts'
import type { Background } from '../http/background.ts'

export interface LinkedBy {
  readonly by: string
  readonly via: string
  /** it is the person who links it */
  readonly consents: boolean
  /** and how they agree to be written to there */
  readonly agreed?: Agreeing
  /** behind those that the person has on the channel */
  readonly isFurther?: true
}

export type LinkContact = (channel: string, person: string, address: string, by: LinkedBy) => Promise<void>

interface LinkDeps {
  readonly directory: Directory
  readonly audit: Audit
  readonly systemMessages: SystemMessages
  readonly background: Background
}

export function createLinkContact({ directory, audit, systemMessages, background }: LinkDeps): LinkContact {
  async function tell(id: string, what: 'linked' | 'taken', channel: string): Promise<void> {
    const person: Person | undefined = await directory.findPerson(id)
    if (person) await systemMessages.tell(person, what, channel)
  }

  return async (channel, person, given, { by, via, consents, agreed, isFurther }) => {
    const [before] = await directory.contactsOf(channel, [person])
    const { address, takenFrom } = isFurther
      ? await directory.addContact(channel, person, given)
      : await directory.linkContact(channel, person, given, { consents, agreed })
    // without the address: the audit outlives the contact
    const done = { by, via, channel }
    if (takenFrom !== undefined) {
      await audit.write({ action: 'contact.taken', person: takenFrom, ...done, detail: `linked to ${person} now` })
    }
    await audit.write({ action: 'contact.linked', person, ...done })
    if (takenFrom !== undefined) background.run(tell(takenFrom, 'taken', channel), 'could not tell of a contact taken')
    if (!hasAddress(before, address)) background.run(tell(person, 'linked', channel), 'could not tell of a link')
  }
}

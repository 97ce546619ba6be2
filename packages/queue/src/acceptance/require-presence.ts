import { type MessageBody, Problem } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'

/** Who has to be online: people themselves; for URLs, which never are, somebody who is named. @throws Problem 422 `urls-and-people` `unknown-person` */
export async function requirePresence(
  directory: Pick<Directory, 'findPerson'>,
  { whenOnline }: { readonly whenOnline?: MessageBody['whenOnline'] | undefined },
  areUrls: boolean,
): Promise<void> {
  if (whenOnline === undefined) return
  if (areUrls && whenOnline === true) {
    throw new Problem(
      422,
      'urls-and-people',
      'a URL is never online: say whose presence it waits for, by id',
      'whenOnline',
    )
  }
  if (!areUrls && whenOnline !== true) {
    const detail = 'people are sent it when they are online themselves: true. Somebody is named of a message to URLs'
    throw new Problem(422, 'urls-and-people', detail, 'whenOnline')
  }
  if (whenOnline !== true && !(await directory.findPerson(whenOnline))) {
    throw new Problem(422, 'unknown-person', `there is no person "${whenOnline}"`, 'whenOnline')
  }
}

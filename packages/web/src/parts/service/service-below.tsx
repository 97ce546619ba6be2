import type { Seen } from '@courier-fleet/words/troubles'
import { ServiceEvents } from './service-events.tsx'
import { ServiceLookUp } from './service-look-up.tsx'
import { ServiceMessages } from './service-messages.tsx'
import { ServiceNumbers } from './service-numbers.tsx'
import { ServiceProcesses } from './service-processes.tsx'

/** What stands below what is asked first: loaded as one, for all of it is shown, and packed as one it is smaller. */
export function ServiceBelow({ seen }: { seen: Seen }) {
  return (
    <>
      <ServiceMessages />
      <ServiceLookUp />
      <ServiceNumbers />
      <ServiceProcesses seen={seen} />
      <ServiceEvents seen={seen} />
    </>
  )
}

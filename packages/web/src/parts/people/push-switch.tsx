import type { PersonDetails } from '@courier-fleet/api-types'
import { agreementText } from '@courier-fleet/api-types/agreement'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { usePushWords } from '../../texts/push.ts'
import { ability, ownAddress, turnOff, turnOn } from '../../this-browser.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly person: PersonDetails
  readonly onChanged: () => void
}

/** Whether messages appear as notifications of this browser. The browser is asked for it only when somebody presses. */
export function PushSwitch({ person, onChanged }: Props) {
  const { api, notices, language } = useStores()
  const agreement = agreementText('push', language.code.value)
  const said = usePushWords()
  const own = useSignal<string | undefined>(undefined)
  const looking = useAsync(async () => {
    own.value = await ownAddress()
  })
  const contact = person.contacts.push
  useEffect(() => {
    looking.run()
  }, [contact?.address])
  const can = ability()
  const state = can === 'able' ? stateOf(contact, own.value) : can
  const turning = useAsync(async () => {
    if (state === 'on') await turnOff(api, person.id)
    else if (!(await turnOn(api, agreement.id))) return notices.announce(said.notAllowed)
    own.value = await ownAddress()
    notices.announce(said.states[state === 'on' ? 'off' : 'on'])
    onChanged()
  })
  return (
    <section aria-labelledby="push">
      <h2 id="push">{said.title}</h2>
      <p class="hint">{said.intro}</p>
      <p>{said.states[state]}</p>
      {can === 'able' && (
        <button type="button" aria-disabled={turning.running.value} onClick={() => turning.run()}>
          {state === 'on' ? said.turnOff : agreement.words}
        </button>
      )}
      <Failure error={looking.error.value ?? turning.error.value} />
    </section>
  )
}

function stateOf(contact: PersonDetails['contacts'][string] | undefined, own: string | undefined) {
  if (!contact) return 'off'
  if (contact.state !== 'active' && contact.state !== 'opted-out') return 'gone'
  return contact.address === own ? 'on' : 'elsewhere'
}

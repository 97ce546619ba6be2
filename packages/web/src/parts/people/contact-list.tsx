import type { AgreementText, EnrolmentView, PersonDetails } from '@courier-fleet/api-types'
import { channelNames } from '@courier-fleet/channels'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'
import { EnrolmentCode } from './enrolment-code.tsx'
import { UnlinkDialog } from './unlink-dialog.tsx'

interface Props {
  readonly person: PersonDetails
  readonly editable: boolean
  readonly onChanged: () => void
  /** on one's own page: what one agrees to by pressing it */
  readonly agreement?: AgreementText | undefined
}

/** The contacts of a person by channel, and those they could have: whether they work, and what can be done about them. */
export function ContactList({ person, editable, onChanged, agreement }: Props) {
  const words = useWords()
  const linkable = channelNames.filter((channel) => words.channels[channel]?.link)
  const channels = [...new Set<string>([...linkable, ...Object.keys(person.contacts)])]
  return (
    <ul class="contacts">
      {channels.map((channel) => (
        <li key={channel} data-channel={channel}>
          <ContactEntry
            channel={channel}
            person={person}
            editable={editable}
            onChanged={onChanged}
            agreement={agreement}
          />
        </li>
      ))}
    </ul>
  )
}

function ContactEntry({ channel, person, editable, onChanged, agreement }: Props & { channel: string }) {
  const { api, session, notices } = useStores()
  const words = useWords()
  const { me } = words
  const code = useSignal<EnrolmentView | undefined>(undefined)
  const addressBefore = useSignal<string | undefined>(undefined)
  const contact = person.contacts[channel]
  // of several the first, then the further ones in their order
  const all = contact ? [contact, ...(contact.others ?? [])] : []
  const unlinking = useSignal<(typeof all)[number] | undefined>(undefined)
  const isSelf = person.id === session.current.value?.owner
  const name = words.channelName(channel)
  const moment = useMoment()
  const stateWords = isSelf ? me.states : me.personStates

  const enrolling = useAsync(async () => {
    addressBefore.value = contact?.address
    code.value = await api.enrol({ channel, ...(isSelf ? {} : { person: person.id }) })
  })
  const consenting = useAsync(async (allowed: boolean) => {
    await api.setConsent(person.id, channel, { allowed, ...(agreement && allowed ? { wording: agreement.id } : {}) })
    notices.announce(`${name}: ${stateWords[allowed ? 'active' : 'opted-out']}`)
    onChanged()
  })
  return (
    <>
      {(contact ? all : [undefined]).map((each) => (
        <p key={each?.address}>
          <strong>{name}</strong> <span>{each ? (stateWords[each.state] ?? each.state) : me.none}</span>{' '}
          {each?.agreed && (
            <span class="hint">
              {me.agreed(moment(new Date(each.agreed.at).toISOString()))} {each.agreed.words}{' '}
            </span>
          )}
          {each?.address && <span class="hint">{each.address}</span>}
        </p>
      ))}
      {editable && (
        <div class="actions">
          {agreement && contact && contact.state !== 'opted-out' && !all.every(({ agreed }) => agreed) && (
            <button type="button" onClick={() => consenting.run(true)}>
              {agreement.words}
              <span class="visually-hidden"> {name}</span>
            </button>
          )}
          {words.channels[channel]?.link && (
            <button type="button" class={contact && 'link'} onClick={() => enrolling.run()}>
              {isSelf ? (contact ? me.relink : me.link) : words.peoplePage.enrol}
              <span class="visually-hidden"> {name}</span>
            </button>
          )}
          {contact && (
            <>
              <button type="button" class="link" onClick={() => consenting.run(contact.state === 'opted-out')}>
                {contact.state === 'opted-out' ? me.start : me.stop}
                <span class="visually-hidden"> {name}</span>
              </button>
              {all.map((each) => (
                <button key={each.address} type="button" class="link" onClick={() => (unlinking.value = each)}>
                  {me.unlink}
                  <span class="visually-hidden"> {name}</span>
                  {contact.others && ` ${each.address}`}
                </button>
              ))}
            </>
          )}
        </div>
      )}
      <Failure error={enrolling.error.value ?? consenting.error.value} />
      {code.value && (
        <EnrolmentCode
          enrolment={code.value}
          isLinked={contact !== undefined && contact.address !== addressBefore.value}
          another={enrolling.run}
          look={onChanged}
        />
      )}
      {unlinking.value && (
        <UnlinkDialog
          person={person.id}
          channel={channel}
          address={unlinking.value.address}
          othersStay={all.length > 1}
          onUnlinked={onChanged}
          onClose={() => (unlinking.value = undefined)}
        />
      )}
    </>
  )
}

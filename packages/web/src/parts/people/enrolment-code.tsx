import type { EnrolmentView } from '@courier-fleet/api-types'
import { codeLifeMs } from '@courier-fleet/api-types/code-life'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useWords } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'

const lookEveryMs = 2000

interface Props {
  readonly enrolment: EnrolmentView
  readonly isLinked: boolean
  readonly another: () => void
  /** asks whether it is linked by now */
  readonly look: () => void
}

/** A code, and the way to the channel it is sent on: a link for this device, a picture for another one's camera. */
export function EnrolmentCode({ enrolment, isLinked, another, look }: Props) {
  const { code, channel, expiresAt, agreement, to, url, qr } = enrolment
  const words = useWords()
  const { me } = words
  const moment = useMoment()
  const isLapsed = useSignal(false)
  const name = words.channelName(channel)
  useEffect(() => {
    if (isLinked) return
    isLapsed.value = false
    // by this clock alone, whatever it shows
    const since = Date.now()
    const timer = setInterval(() => {
      isLapsed.value = Date.now() - since >= codeLifeMs
      if (isLapsed.value) clearInterval(timer)
      look()
    }, lookEveryMs)
    return () => clearInterval(timer)
  }, [enrolment, isLinked])
  if (isLinked)
    return (
      <p class="note good" role="status">
        {me.linked(name)}
      </p>
    )
  return (
    <div class="note" role="status">
      {isLapsed.value ? (
        <p>{me.lapsed}</p>
      ) : (
        <>
          <p>
            {me.code}: <strong class="code">{code.replace(/(\d{4})(?=\d)/g, '$1 ')}</strong>
          </p>
          {url && (
            <p>
              <a href={url}>{me.open(name)}</a>
            </p>
          )}
          {qr && <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={me.qr(name)} />}
          <p>{words.channels[channel]?.link?.(code, to)}</p>
          <p>{agreement}</p>
          <p class="hint">{me.until(moment(expiresAt))}</p>
        </>
      )}
      <button type="button" onClick={another}>
        {me.another}
        <span class="visually-hidden"> {name}</span>
      </button>
    </div>
  )
}

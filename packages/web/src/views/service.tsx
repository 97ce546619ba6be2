import { ApiError } from '@courier-fleet/client'
import { troubleWords } from '@courier-fleet/words/trouble-words'
import { isNobodyLost, type Seen, troublesOf } from '@courier-fleet/words/troubles'
import { useEffect, useMemo } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { ServiceChannels } from '../parts/service/service-channels.tsx'
import { Title } from '../parts/title.tsx'
import { useTime } from '../parts/use-time.ts'
import { createServiceStore } from '../stores/service.ts'
import { useStores, useWords } from '../stores.ts'
import { useServiceWords } from '../texts/service.ts'

// what stands below what is asked first does not hold it up
const ServiceBelow = later(async () => (await import('../parts/service/service-below.tsx')).ServiceBelow)

/** How the fleet is, for operators: first what one would say on the phone at night, then what it rests on. */
export function Service() {
  const { api } = useStores()
  const words = useWords()
  const said = useServiceWords()
  const store = useMemo(() => createServiceStore(api), [api])
  useEffect(() => store.follow(), [store])
  const seen = store.seen.value
  const error = store.error.value
  return (
    <>
      <Title>{said.title}</Title>
      {isRedisAway(error) ? (
        <div class="failure" role="alert">
          <p>{said.redisAway}</p>
        </div>
      ) : (
        <Failure error={error} retry={store.again} />
      )}
      {!seen && !error && <p>{words.loading}</p>}
      {seen && (
        <>
          <Troubles seen={seen} isOld={error !== undefined} />
          <ServiceChannels seen={seen} onChanged={store.again} />
          <ServiceBelow seen={seen} />
        </>
      )}
    </>
  )
}

const isRedisAway = (error: unknown) => error instanceof ApiError && error.problem.code === 'redis-away'

/** @param isOld nothing newer could be read: that all is well is not known then */
function Troubles({ seen, isOld }: { seen: Seen; isOld: boolean }) {
  const { notices, language } = useStores()
  const said = useServiceWords()
  const time = useTime()
  const troubles = troublesOf(seen)
  const sentences = troubles.map((trouble) => troubleWords(language.code.value, trouble, time))
  // said once, not again whenever a number changes
  useEffect(() => {
    if (!isOld) notices.announce(sentences.length > 0 ? sentences.join(' ') : said.allWell)
  }, [isOld, troubles.map((each) => `${each.kind} ${'channel' in each ? each.channel : ''}`).join()])
  const asOf = time(seen.service.asOf)
  return (
    <section class="card verdict" aria-label={said.title}>
      {isOld && <p>{said.lastKnown(asOf)}</p>}
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {!isOld && sentences.length === 0 && <p>{said.allWell}</p>}
      {!isOld && sentences.length > 0 && isNobodyLost(seen.service) && <p>{said.nobodyLost}</p>}
      {!isOld && <p class="hint">{said.asOf(asOf)}</p>}
    </section>
  )
}

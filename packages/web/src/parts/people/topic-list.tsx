import type { TopicView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

/** What one may join by oneself, each with a tick; of what is closed only what one is in. */
export function TopicList() {
  const { api, language, notices } = useStores()
  const { topics: said } = useWords()
  const topics = useSignal<readonly TopicView[] | undefined>(undefined)
  /** whose tick was changed last, shown as it is to be while that is saved */
  const wanted = useSignal<TopicView | undefined>(undefined)
  const loading = useAsync(async () => {
    topics.value = (await api.topics()).topics.filter(({ open, joined }) => open || joined)
  })
  const changing = useAsync(async (topic: TopicView) => {
    const { id, name, joined } = topic
    const shown = name[language.code.value]
    wanted.value = { ...topic, joined: !joined }
    try {
      if (joined) await api.leaveTopic(id)
      else await api.joinTopic(id)
      notices.announce(joined ? said.left(shown) : said.joined(shown))
    } finally {
      // as it is now: another may have closed it meanwhile
      await loading.run()
      wanted.value = undefined
    }
  })
  useEffect(() => {
    loading.run()
  }, [])
  return (
    <section aria-label={said.title}>
      <p class="hint">{said.intro}</p>
      <Failure error={loading.error.value} retry={loading.run} />
      <Failure error={changing.error.value} />
      {topics.value?.length === 0 && <p>{said.none}</p>}
      <div class="choices">
        {topics.value?.map((topic) => (
          <label key={topic.id}>
            <input
              type="checkbox"
              checked={wanted.value?.id === topic.id ? wanted.value.joined : topic.joined}
              aria-disabled={changing.running.value}
              // one after the other: a tick that nothing follows from is none
              onClick={(event) => changing.running.value && event.preventDefault()}
              onChange={() => changing.run(topic)}
            />
            <span>{topic.name[language.code.value]}</span>
            <span class="hint">{topic.open ? '' : said.closed}</span>
          </label>
        ))}
      </div>
    </section>
  )
}

import type { HistoryView, ReplayMark } from '@courier-fleet/api-types'
import { peopleClasses } from '@courier-fleet/api-types/people-classes'
import type { Replay as Told } from '@courier-fleet/client'
import { useSignal } from '@preact/signals'
import type { Ref } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { steps } from '../../replay-line.ts'
import { createReplayShow, type ReplayShow } from '../../replay-show.ts'
import { useStores, useWords } from '../../stores.ts'
import { useReplayWords } from '../../texts/replay.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { usePreciseMoment } from '../use-moment.ts'
import { createReplayWall, pixelOf, type ReplayWall } from './replay-wall.ts'
import { usePlaying } from './use-playing.ts'

interface Loaded {
  readonly told: Told
  readonly show: ReplayShow
}

/** How a message went out, once more: everyone is a dot, and the slider is at the moment that the address names. */
export function Replay({ history }: { history: HistoryView }) {
  const { api } = useStores()
  const words = useWords()
  const said = useReplayWords()
  const loaded = useSignal<Loaded | undefined>(undefined)
  const loading = useAsync(async () => {
    const told = await api.replay(history.key)
    loaded.value = { told, show: createReplayShow(told) }
  })
  useEffect(() => {
    loading.run()
  }, [])
  return (
    <section class="card replay" aria-labelledby="replay">
      <h2 id="replay">{said.title}</h2>
      <Failure error={loading.error.value} retry={loading.run} />
      {loading.running.value && <p>{words.loading}</p>}
      {loaded.value && (loaded.value.told.size > 0 ? <Player {...loaded.value} /> : <p>{said.none}</p>)}
    </section>
  )
}

function Player({ told, show }: Loaded) {
  const { router, notices } = useStores()
  const said = useReplayWords()
  const wall = useRef<ReplayWall | undefined>(undefined)
  const canvas = useRef<HTMLCanvasElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const moment = useMomentWords(told)
  const { route } = router
  const asked = route.peek().query?.replay ?? ''
  const step = useSignal(/^\d{1,12}$/.test(asked) ? show.line.stepOf(Number(asked)) : 0)

  // before the counts are read
  show.go(Math.floor(step.value), (person, peopleClass) => wall.current?.paint(person, peopleClass))
  const momentMs = show.line.momentOf(Math.floor(step.value))
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return
    return followLooks(element, () => {
      wall.current = createReplayWall(element, show.now, coloursOf(legend.current))
      wall.current.show()
    })
  }, [show])
  useLayoutEffect(() => wall.current?.show(), [step.value])

  /** The address leads to this moment, and a screen reader is told of it. */
  function stay() {
    const { query, ...shown } = route.peek()
    const ms = show.line.momentOf(Math.floor(step.value))
    router.replace({ ...shown, query: { ...query, replay: String(Math.round(ms)) } })
    notices.announce(`${moment(ms)}: ${inCounts(show)}`)
  }
  const playing = usePlaying(step, show.line.lengthMs, stay)
  function seek(to: number) {
    playing.leave()
    step.value = to
  }
  const inCounts = useCountWords()
  const placed = told.marks.map((mark) => ({ ...mark, step: show.line.stepOf(mark.at) }))
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={`${said.wall}: ${inCounts(show)}`} />
      <input
        type="range"
        aria-label={said.slider}
        aria-valuetext={`${moment(momentMs)}: ${inCounts(show)}`}
        min={0}
        max={steps}
        step="any"
        value={step.value}
        onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
        onChange={stay}
      />
      <div class="replay-ticks" aria-hidden="true">
        {placed.map((mark) => (
          <span key={`${mark.what} ${mark.at}`} style={{ left: `${(100 * mark.step) / steps}%` }} />
        ))}
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={playing.running.value ? playing.stop : playing.start}>
          {playing.running.value ? said.pause : said.play}
        </button>
        <span class="figure">{moment(momentMs)}</span>
      </div>
      {/* a copy: what is given the same object again is not shown anew */}
      <Legend list={legend} classes={show.classes} counts={[...show.counts]} />
      {placed.length > 0 && (
        <Marks
          marks={placed}
          momentOf={moment}
          onSeek={(to) => {
            seek(to)
            stay()
          }}
        />
      )}
      <p class="hint">
        {said.hint} {show.line.isShortened && said.shortened}
      </p>
    </>
  )
}

interface LegendProps extends Pick<ReplayShow, 'classes' | 'counts'> {
  readonly list: Ref<HTMLUListElement>
}

/** What the colours mean, and how many people have which now. */
function Legend({ list, classes, counts }: LegendProps) {
  const words = useWords()
  return (
    <ul class="classes" ref={list}>
      {classes.map((name) => (
        <li key={name} data-class={name}>
          <span class={`swatch ${name}`} aria-hidden="true" />
          <strong>{words.number(counts[peopleClasses.indexOf(name)] ?? 0)}</strong>
          <span>{words.known.classes[name]}</span>
        </li>
      ))}
    </ul>
  )
}

interface MarksProps {
  readonly marks: readonly (ReplayMark & { readonly step: number })[]
  readonly momentOf: (ms: number) => string
  readonly onSeek: (step: number) => void
}

/** What happened beside the sending itself; each leads to its moment. */
function Marks({ marks, momentOf, onSeek }: MarksProps) {
  const words = useWords()
  const said = useReplayWords()
  return (
    <>
      <h3>{said.marks}</h3>
      <ul class="sessions">
        {marks.map(({ at, what, channel, people = 0, step }) => (
          <li key={`${what} ${channel} ${at}`}>
            <button type="button" class="link" onClick={() => onSeek(step)}>
              {momentOf(at)}
            </button>
            <span>{said.what[what](channel === undefined ? '' : words.channelName(channel), people)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** `1 Sept 2026, 09:00:12, 12.3 s after the start` */
function useMomentWords({ startedAt }: Told): (ms: number) => string {
  const said = useReplayWords()
  const moment = usePreciseMoment()
  const startMs = Date.parse(startedAt ?? '')
  return (ms) => {
    const at = moment(new Date(startMs + ms).toISOString())
    return ms < 0 ? at : `${at}, ${said.after(ms)}`
  }
}

/** `delivered: 5, not delivered: 2` */
function useCountWords(): (show: ReplayShow) => string {
  const { known, number } = useWords()
  return ({ classes, counts }) =>
    classes.map((name) => `${known.classes[name]}: ${number(counts[peopleClasses.indexOf(name)] ?? 0)}`).join(', ')
}

/** A colour for each class, as the legend shows it. */
function coloursOf(legend: HTMLElement | null): number[] {
  return peopleClasses.map((name) => {
    const swatch = legend?.querySelector(`.swatch.${name}`)
    return swatch ? pixelOf(swatch) : 0
  })
}

/** Draws now, and again when the room for it or the colours are others. @returns what ends it */
function followLooks(element: Element, draw: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let width = -1
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return
    width = element.clientWidth
    draw()
  })
  observer.observe(element)
  dark.addEventListener('change', draw)
  return () => {
    observer.disconnect()
    dark.removeEventListener('change', draw)
  }
}

/** Moves a replay on, from where it is to its end. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { steps } from '../../replay-line.ts'

const shortestMs = 5_000
const longestMs = 20_000
/** a page that was not painted for a while goes on from where it was */
const longestFrameMs = 100
/** where somebody has asked for less motion it moves so many times */
const jumps = 10

export interface Playing {
  readonly running: ReadonlySignal<boolean>
  /** From the beginning, where it has come to the end. */
  start(): void
  stop(): void
  /** As stop(), but it is not to stay there. */
  leave(): void
}

/** @param lengthMs how long what it shows took · @param onStay it has stopped where it is to stay */
export function usePlaying(step: Signal<number>, lengthMs: number, onStay: () => void): Playing {
  const running = useSignal(false)
  const perMs = steps / Math.min(longestMs, Math.max(shortestMs, lengthMs))

  function end() {
    running.value = false
    onStay()
  }
  useEffect(() => {
    if (!running.value) return
    const stride = matchMedia('(prefers-reduced-motion: reduce)').matches ? steps / jumps : 0
    let place = step.peek()
    let last = performance.now()
    let frame = requestAnimationFrame(function next(now) {
      place = Math.min(steps, place + Math.min(longestFrameMs, Math.max(0, now - last)) * perMs)
      last = now
      if (place - step.peek() >= stride || place === steps) step.value = place
      if (place < steps) frame = requestAnimationFrame(next)
      else end()
    })
    return () => cancelAnimationFrame(frame)
  }, [running.value])

  return {
    running,
    start() {
      if (step.peek() >= steps) step.value = 0
      running.value = true
    },
    stop: end,
    leave() {
      running.value = false
    },
  }
}

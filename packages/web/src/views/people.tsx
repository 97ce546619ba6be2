import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { PeopleBrowser } from '../parts/people-browser.tsx'
import { Title } from '../parts/title.tsx'
import { useWords } from '../stores.ts'

/** people type several letters in a row */
const pauseMs = 250

export function People() {
  const { peoplePage } = useWords()
  const typed = useSignal('')
  const name = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => (name.value = typed.value.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <>
      <Title>{peoplePage.title}</Title>
      <Field id="search" label={peoplePage.search}>
        {(ids) => (
          <input
            {...ids}
            type="search"
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <PeopleBrowser label={peoplePage.title} name={name.value} />
    </>
  )
}

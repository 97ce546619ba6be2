/** A field to search in with a list below it, of which several may be chosen: one stop of the Tab key, however long the list. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { FieldIds } from '../field.tsx'

export interface Option {
  readonly id: string
  readonly label: string
  readonly detail?: string | undefined
  readonly isChosen: boolean
}

export interface OptionGroup {
  readonly title: string
  readonly options: readonly Option[]
}

interface Props {
  readonly ids: FieldIds
  readonly label: string
  readonly placeholder: string
  readonly groups: readonly OptionGroup[]
  readonly text: string
  readonly onText: (text: string) => void
  readonly onToggle: (option: Option) => void
  /** Backspace in an empty field takes the last one away. */
  readonly onDropLast: () => void
  /** below the options: that it is searched, or that nothing was found */
  readonly children: ComponentChildren
}

export function Combobox({ ids, label, placeholder, groups, text, onText, onToggle, onDropLast, children }: Props) {
  const isOpen = useSignal(false)
  const active = useSignal(0)
  const options = groups.flatMap((group) => group.options)
  const at = Math.min(active.value, options.length - 1)
  const optionId = (index: number) => `${ids.id}-option-${index}`

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (isOpen.value ? move(at + 1) : open()),
    ArrowUp: () => (isOpen.value ? move(at - 1) : open()),
    // Enter in this field must not send the message
    Enter: () => (isOpen.value ? toggle(options[at]) : open()),
    Escape: () => (isOpen.value = false),
  }
  const open = () => (isOpen.value = true)
  const move = (to: number) => (active.value = (to + options.length) % Math.max(1, options.length))
  const toggle = (option: Option | undefined) => option && onToggle(option)

  return (
    <div class="combobox">
      <input
        {...ids}
        role="combobox"
        aria-expanded={isOpen.value}
        aria-controls={`${ids.id}-options`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen.value && at >= 0 ? optionId(at) : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={text}
        onClick={open}
        onBlur={() => (isOpen.value = false)}
        onInput={(event) => {
          open()
          active.value = 0
          onText(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && text === '') return onDropLast()
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      {isOpen.value && (
        // what is pressed here leaves the focus in the field
        // biome-ignore lint/a11y/noStaticElementInteractions: it takes no input of its own
        <div class="popup" onMouseDown={(event) => event.preventDefault()}>
          <div id={`${ids.id}-options`} role="listbox" aria-label={label} aria-multiselectable="true" tabIndex={-1}>
            {groups.map((group) => (
              <OptionList
                key={group.title}
                group={group}
                first={options.indexOf(group.options[0] as Option)}
                active={at}
                idOf={optionId}
                onToggle={onToggle}
              />
            ))}
          </div>
          {children}
        </div>
      )}
    </div>
  )
}

interface ListProps {
  readonly group: OptionGroup
  /** place of its first option among all */
  readonly first: number
  readonly active: number
  readonly idOf: (index: number) => string
  readonly onToggle: (option: Option) => void
}

function OptionList({ group, first, active, idOf, onToggle }: ListProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
    <div role="group" aria-label={group.title}>
      <p class="hint" aria-hidden="true">
        {group.title}
      </p>
      {group.options.map((option, index) => (
        <OptionRow
          key={option.id}
          id={idOf(first + index)}
          option={option}
          isActive={first + index === active}
          onToggle={() => onToggle(option)}
        />
      ))}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly option: Option
  readonly isActive: boolean
  readonly onToggle: () => void
}

function OptionRow({ id, option, isActive, onToggle }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys
    <div
      id={id}
      ref={row}
      role="option"
      aria-selected={option.isChosen}
      tabIndex={-1}
      class={isActive ? 'active' : ''}
      onClick={onToggle}
    >
      <span>{option.label}</span>
      <span class="hint">{option.detail}</span>
    </div>
  )
}

import type { ComponentChildren } from 'preact'

export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface Props {
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
  /** what is wrong with what stands in it */
  readonly error?: string | undefined
  /** gives the input what ties it to its label, hint and error */
  readonly children: (ids: FieldIds) => ComponentChildren
}

export function Field({ id, label, hint, error, children }: Props) {
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const described = [errorId, hintId].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
      <FieldError id={errorId} text={error} />
    </div>
  )
}

export function FieldError({ id, text }: { id?: string | undefined; text: string | undefined }) {
  if (!text) return null
  return (
    <p id={id} class="error" role="alert">
      {text}
    </p>
  )
}

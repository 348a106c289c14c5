/** @jsxImportSource preact */
/** An error, announced at once by screen readers. */
export const Failure = ({ message }: { message: string }) =>
  message === '' ? null : (
    <p class="error" role="alert">
      {message}
    </p>
  )

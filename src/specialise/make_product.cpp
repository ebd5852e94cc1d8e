// Compiles into a temporary file first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/make_product.h"

#include "support/scratch_folder.h"

#include <link.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

namespace gridspan::specialise {

namespace {

/// Where a limit of file sizes is met (ulimit -f), writing fails, and does not end the program.
class FileLimitFails {
 public:
  FileLimitFails() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileLimitFails() {
    const timespec at_once{};
    if (sigismember(&before_, SIGXFSZ) == 0) sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileLimitFails(const FileLimitFails&) = delete;
  FileLimitFails& operator=(const FileLimitFails&) = delete;

 private:
  sigset_t signal_, before_;
};

/// Nothing, or what it is instead. Who loads a file that is shorter than it says ends by a signal.
std::string flaw_of(const std::string& library) {
  ElfW(Ehdr) head;
  if (library.empty()) return "nothing";
  if (library.size() < sizeof head) return "what is no library";
  std::memcpy(&head, library.data(), sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(ElfW(Phdr)))
    return "what is no library";
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part;
    const std::size_t at = head.e_phoff + i * sizeof part;
    if (at > library.size() || library.size() - at < sizeof part) return "half a library";
    std::memcpy(&part, library.data() + at, sizeof part);
    if (part.p_offset > library.size() || library.size() - part.p_offset < part.p_filesz)
      return "half a library";
  }
  return {};
}

}  // namespace

support::Result<void> make_product(const Build& build, const ProductKeys& keys, Compiler& compiler,
                                   Cache& cache, bool aside) {
  const FileLimitFails limit;
  auto product = cache.make_temporary();
  if (!product) return support::fail(product.error());
  auto made = compiler.make(build, *product, aside);
  const std::string content = made ? support::read_file(*product) : std::string();
  ::unlink(product->c_str());
  if (!made && !made.error().message.starts_with(refusal_mark)) return made;
  if (const std::string flaw = made ? flaw_of(content) : std::string(); !flaw.empty())
    return support::fail(compiler.gridcc() + " made " + flaw);
  return cache.store(keys.module, keys.kernel, build.condition,
                     made ? content : made.error().message);
}

}  // namespace gridspan::specialise

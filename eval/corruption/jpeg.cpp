#include "corruption/jpeg.hpp"

#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>  // jpeglib.h uses it without including it
#include <cstdlib>
#include <memory>
#include <new>

#include <jpeglib.h>

namespace stad::corruption {
namespace {

/// libjpeg would print and end the process; here it jumps back to whoever called it. Nothing between the two has a
/// destructor.
struct ErrorManager : jpeg_error_mgr {
  std::jmp_buf back;
};

ErrorManager* silent(ErrorManager& manager) {
  jpeg_std_error(&manager);
  manager.error_exit = [](j_common_ptr codec) { std::longjmp(static_cast<ErrorManager*>(codec->err)->back, 1); };
  manager.output_message = [](j_common_ptr) {};
  return &manager;
}

/// Pixels with their channels side by side, as libjpeg takes them.
struct Pixels {
  Index height = 0;
  Index width = 0;
  Index channels = 0;
  std::vector<JSAMPLE> bytes;

  JSAMPLE* row(JDIMENSION y) { return bytes.data() + static_cast<std::ptrdiff_t>(y) * width * channels; }
};

struct Encoded {
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): libjpeg's type

  Encoded() = default;
  Encoded(const Encoded&) = delete;
  Encoded& operator=(const Encoded&) = delete;
  ~Encoded() { std::free(bytes); }
};

void compress(jpeg_compress_struct& codec, Pixels& pixels, int quality, Encoded& file) {
  jpeg_mem_dest(&codec, &file.bytes, &file.size);
  codec.image_height = static_cast<JDIMENSION>(pixels.height);
  codec.image_width = static_cast<JDIMENSION>(pixels.width);
  codec.input_components = static_cast<int>(pixels.channels);
  codec.in_color_space = pixels.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = pixels.row(codec.next_scanline);
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
}

void decompress(jpeg_decompress_struct& codec, const Encoded& file, Pixels& pixels) {
  jpeg_mem_src(&codec, file.bytes, file.size);
  jpeg_read_header(&codec, TRUE);
  jpeg_start_decompress(&codec);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels.row(codec.output_scanline);
    jpeg_read_scanlines(&codec, &row, 1);
  }
  jpeg_finish_decompress(&codec);
}

bool try_compress(Pixels& pixels, int quality, Encoded& file) {
  ErrorManager errors;
  jpeg_compress_struct codec{};
  codec.err = silent(errors);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_compress(&codec);
    return false;
  }
  jpeg_create_compress(&codec);
  compress(codec, pixels, quality, file);
  jpeg_destroy_compress(&codec);
  return true;
}

bool try_decompress(const Encoded& file, Pixels& pixels) {
  ErrorManager errors;
  jpeg_decompress_struct codec{};
  codec.err = silent(errors);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&codec);
    return false;
  }
  jpeg_create_decompress(&codec);
  decompress(codec, file, pixels);
  jpeg_destroy_decompress(&codec);
  return true;
}

Pixels interleaved(const Image& image) {
  Pixels pixels{image[0].height, image[0].width, static_cast<Index>(image.size()), {}};
  for (std::size_t i = 0; i < image[0].values.size(); ++i)
    for (const auto& plane : image)
      pixels.bytes.push_back(static_cast<JSAMPLE>(std::lround(nearest_level(plane.values[i]) * 255)));
  return pixels;
}

Image planar(const Pixels& pixels) {
  Image image(static_cast<std::size_t>(pixels.channels), Plane(pixels.height, pixels.width));
  auto byte = pixels.bytes.begin();
  for (std::size_t i = 0; i < image[0].values.size(); ++i)
    for (auto& plane : image) plane.values[i] = static_cast<float>(*byte++) / 255;
  return image;
}

}  // namespace

Image jpeg_round_trip(const Image& image, int quality) {
  Pixels pixels = interleaved(image);
  Encoded file;
  // Of images of such sizes, and of files of its own, libjpeg can only complain for want of memory.
  if (!try_compress(pixels, quality, file) || !try_decompress(file, pixels)) throw std::bad_alloc();
  return planar(pixels);
}

}  // namespace stad::corruption
